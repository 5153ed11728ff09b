package dev.understudy.it.suites;

/** What became of a test; the later ones outweigh the earlier ones where a test has several parts. */
public enum TestState {
    SKIPPED,
    PASSED,
    FAILED,
    /** Its time was over. */
    HUNG
}
