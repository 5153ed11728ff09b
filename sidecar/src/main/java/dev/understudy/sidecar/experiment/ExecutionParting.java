package dev.understudy.sidecar.experiment;

import java.util.List;

/**
 * A place where the execution that fails did something else than the one that passes. Immutable.
 *
 * @param method the one that is blamed
 * @param caller the method that called it; empty if none is known
 * @param failing what it did in the execution that fails, e.g. {@code returned null} or {@code called Cart#add}
 * @param passing what it did in the other one
 * @param failingInputs its receiver's class and its arguments in the execution that fails
 * @param passingInputs the same in the other one
 * @param order the index of the event in the execution that fails at which it became visible
 * @param isAfterThrow whether its thread had thrown something before that the execution that passes didn't throw
 * @param isOfOtherClass whether both returned an object, but of two classes, or null on one side
 * @param isOfOtherKind whether both returned something of two kinds: true and false, say, or a number above 0 and 0
 * @param count how often the method parted in this way; all else is of the first time
 */
record ExecutionParting(
        String method,
        Kind kind,
        String caller,
        String failing,
        String passing,
        List<String> failingInputs,
        List<String> passingInputs,
        int order,
        boolean isAfterThrow,
        boolean isOfOtherClass,
        boolean isOfOtherKind,
        int count) {
    private static final String NULL = CallOutcome.returned("null").words();

    ExecutionParting {
        failingInputs = List.copyOf(failingInputs);
        passingInputs = List.copyOf(passingInputs);
    }

    /** The ways in which two executions part. */
    enum Kind {
        /** It called something else. */
        WAY,
        /** Its inputs were equal, its outcome wasn't: by hidden state or chance. */
        RESULT,
        /** Its outcome was of another kind: null, say, and no object. */
        KIND
    }

    /**
     * Those that tell most of a cause, before anything was thrown, in their order: the methods that returned an object
     * of another class, or for equal inputs null. If there is none, those that for equal inputs returned something of
     * another kind, such as true instead of false.
     *
     * @param isPart whether the passing request is the failing one without a part: only another class tells then, as
     *     the part that is missing makes look-ups find nothing, and questions be answered with no
     */
    static List<ExecutionParting> telling(List<ExecutionParting> all, boolean isPart) {
        List<ExecutionParting> before =
                all.stream().filter(parting -> !parting.isAfterThrow).toList();
        List<ExecutionParting> byClass = before.stream()
                .filter(parting -> parting.isOfOtherClass && (!parting.isNull() || parting.isNullTelling(isPart)))
                .toList();
        return byClass.isEmpty() && !isPart
                ? before.stream()
                        .filter(parting -> parting.kind == Kind.RESULT && parting.isOfOtherKind)
                        .toList()
                : byClass;
    }

    private boolean isNull() {
        return failing.equals(NULL) || passing.equals(NULL);
    }

    /** For another key a look-up finds nothing, which is no wonder: a cache is filled by what went well. */
    private boolean isNullTelling(boolean isPart) {
        return !isPart && failingInputs.equals(passingInputs);
    }

    ExecutionParting counted(int times) {
        return new ExecutionParting(
                method,
                kind,
                caller,
                failing,
                passing,
                failingInputs,
                passingInputs,
                order,
                isAfterThrow,
                isOfOtherClass,
                isOfOtherKind,
                times);
    }
}
