// The panes of the reports: see vite.config.js.
declare module "virtual:report" {
  export interface PageFinding {
    number: number;
    title: string;
  }
  export interface Around {
    chosen: () => string;
    choose: (n: number) => void;
    actions: (f: PageFinding) => Node[];
  }
  export function findings(root: Element, data: unknown, around: Around): void;
  export function mined(root: Element, data: unknown, around: { judged: () => Record<string, string>; judge: (key: string, says: string) => Promise<void> }): void;
  export interface PictureSource {
    file: string;
    lines: string[];
    note: string;
  }
  export function pictured(root: Element, sources: PictureSource[], actions: (file: string, line: number) => Node[]): void;
}
declare module "*.html?raw" {
  const text: string;
  export default text;
}
declare module "*.css";
