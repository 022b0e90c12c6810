/** Files that are dropped: their order, what stops them, and where the page leads. */
import { describe, expect, it } from "vitest";
import { addressAfter, type FilesEvent, filesAfter, NO_FILES } from "./files-state.ts";

const ASKED = { bank_account: "b", profile: null, faults: [], is_changed: false };
const stateOf = (...events: readonly FilesEvent[]) => events.reduce(filesAfter, NO_FILES);
const two: FilesEvent = { dropped: ["a.xml", "b.csv"] };

describe("dropped files", () => {
  it("are sent one after the other, and the page shows what all of them brought", () => {
    expect(stateOf(two)).toMatchObject({ phase: "sending", at: 0 });
    const first = stateOf(two, { brought: "1", is_new: false });
    expect(first).toMatchObject({ phase: "sending", at: 1 });
    expect(addressAfter(first)).toBeNull();
    const both = filesAfter(first, { brought: "2", is_new: true });
    expect(both.phase).toBe("done");
    expect(addressAfter(both)).toBe("/bank?brought=1,2");
  });

  it("say that they are known where none is new", () => {
    const state = stateOf({ dropped: ["a"] }, { brought: "1", is_new: false });
    expect(addressAfter(state)).toBe("/bank?brought=1&known=1");
  });

  it("wait while a person names columns, and are sent again with these", () => {
    const asked = stateOf(two, { asks: ASKED });
    expect(asked).toMatchObject({ phase: "asks", asked: ASKED, at: 0 });
    const keeping = filesAfter(asked, { keep: true });
    expect(keeping.phase).toBe("keeping");
    expect(filesAfter(keeping, { again: true })).toMatchObject({ phase: "sending", at: 0 });
  });

  it("keep the question open when the columns cannot be kept", () => {
    const failed = stateOf(two, { asks: ASKED }, { keep: true }, { failed: "lost" });
    expect(failed).toMatchObject({ phase: "asks", asked: ASKED, fault: "lost" });
  });

  it("stop at one that is refused, which is sent again or left out", () => {
    const stopped = stateOf(two, { failed: "lost" });
    expect(stopped).toMatchObject({ phase: "stopped", fault: "lost", at: 0 });
    expect(filesAfter(stopped, { again: true })).toMatchObject({ phase: "sending", at: 0 });
    expect(filesAfter(stopped, { skip: true })).toMatchObject({ phase: "sending", at: 1 });
  });

  it("lead nowhere when none was read", () => {
    const state = stateOf({ dropped: ["a"] }, { failed: "too_large" }, { skip: true });
    expect(state.phase).toBe("done");
    expect(addressAfter(state)).toBeNull();
  });

  it("are not replaced while one is sent, and a drop of nothing does nothing", () => {
    expect(stateOf(two, { dropped: ["c"] }).names).toEqual(["a.xml", "b.csv"]);
    expect(stateOf({ dropped: [] })).toEqual(NO_FILES);
  });
});
