package dev.understudy.agent.branch;

/** A line number of a class file, and what it stands for if that is no line of the class's own source. Immutable. */
final class BranchLine {
    final int number;
    /** Such as {@code 7 of Inlined.kt (inlined at line 12)}; empty if it is the line of that number. */
    final String source;

    BranchLine(int number, String source) {
        this.number = number;
        this.source = source;
    }
}
