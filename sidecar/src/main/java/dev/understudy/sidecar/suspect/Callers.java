package dev.understudy.sidecar.suspect;

import java.util.Arrays;

/**
 * Who calls each method first in most exchanges, if anybody does (the majority vote of Boyer and Moore: one name and
 * one number of each). Not for several threads.
 */
final class Callers {
    private static final int NOBODY = -1;

    private int[] callers = new int[0];
    private int[] votes = new int[0];

    /** Takes in an exchange's calls: a method and the one that called it first, in turns. */
    void add(int[] calls) {
        for (int i = 0; i + 1 < calls.length; i += 2) {
            int method = calls[i];
            room(method);
            if (votes[method] == 0) {
                callers[method] = calls[i + 1];
            }
            votes[method] += callers[method] == calls[i + 1] ? 1 : -1;
        }
    }

    /** The method's caller; -1 if none is known. */
    int of(int method) {
        return method >= 0 && method < votes.length && votes[method] > 0 ? callers[method] : NOBODY;
    }

    private void room(int method) {
        if (method >= votes.length) {
            int room = Math.max(method + 1, votes.length * 3 / 2);
            callers = Arrays.copyOf(callers, room);
            votes = Arrays.copyOf(votes, room);
        }
    }
}
