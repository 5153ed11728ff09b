package dev.understudy.aggregator.redis.command;

import dev.understudy.divergence.wire.redis.RedisCommand;

/** Follows {@code CLIENT REPLY}, command by command as they are sent: which ones the server answers. */
public final class ReplySwitch {
    private boolean off;
    private boolean skip;
    private boolean used;

    /** Whether this is {@code CLIENT REPLY}, and well-formed. */
    public static boolean isTurnedBy(RedisCommand command) {
        return command.name().equals("CLIENT")
                && command.word(0).equals("REPLY")
                && !word(command).isEmpty();
    }

    /** Whether the server answers this command, which is the next one. */
    public boolean answers(RedisCommand command) {
        switch (isTurnedBy(command) ? word(command) : "") {
            case "ON" -> {
                off = false;
                skip = false;
                return true;
            }
            case "OFF" -> {
                off = true;
                used = true;
                return false;
            }
            case "SKIP" -> {
                skip = !off;
                used = true;
                return false;
            }
            default -> {
                boolean answered = !off && !skip;
                skip = false;
                return answered;
            }
        }
    }

    /** Whether replies were ever switched off, as far as the server allowed it. */
    public boolean used() {
        return used;
    }

    private static String word(RedisCommand command) {
        String word = command.arguments().size() == 2 ? command.word(1) : "";
        return word.equals("ON") || word.equals("OFF") || word.equals("SKIP") ? word : "";
    }
}
