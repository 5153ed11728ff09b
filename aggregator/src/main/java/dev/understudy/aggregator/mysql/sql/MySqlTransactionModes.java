package dev.understudy.aggregator.mysql.sql;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The modes of one session's transactions (isolation level, read only, consistent snapshot): of the open one, of the
 * next one alone, and of all others. Confined to its connection.
 */
final class MySqlTransactionModes {
    /** Before the name of a mode that is for the next transaction alone. */
    static final String NEXT = "next ";

    private static final String LEVEL = "transaction_isolation";
    private static final String READ_ONLY = "transaction_read_only";
    private static final String SNAPSHOT = "consistent snapshot";
    private static final String OFF = "OFF";
    private static final Map<String, String> NAMES =
            Map.of(LEVEL, LEVEL, "tx_isolation", LEVEL, READ_ONLY, READ_ONLY, "tx_read_only", READ_ONLY);

    private final Map<String, String> ofSession = new TreeMap<>();
    private final Map<String, String> next = new TreeMap<>();
    private Map<String, String> now = Map.of();
    private final Supplier<@Nullable String> usualLevel;
    private boolean open;

    /** @param usualLevel of sessions that choose none; gives null while that isn't known */
    MySqlTransactionModes(Supplier<@Nullable String> usualLevel) {
        this.usualLevel = usualLevel;
    }

    /** Whether a setting is one of a transaction's modes, be it under its older name. */
    static boolean one(String name) {
        return NAMES.containsKey(name.startsWith(NEXT) ? name.substring(NEXT.length()) : name);
    }

    /** The modes that words of SET TRANSACTION or START TRANSACTION name. */
    static Map<String, String> named(List<String> words) {
        Map<String, String> modes = new TreeMap<>();
        for (String word : words) {
            switch (word) {
                case "SERIALIZABLE" -> modes.put(LEVEL, word);
                case "COMMITTED", "UNCOMMITTED" -> modes.put(LEVEL, "READ-" + word);
                case "REPEATABLE" -> modes.put(LEVEL, "REPEATABLE-READ");
                case "ONLY" -> modes.put(READ_ONLY, "ON");
                case "WRITE" -> modes.put(READ_ONLY, OFF);
                case "SNAPSHOT" -> modes.put(SNAPSHOT, "ON");
                default -> {
                    // TRANSACTION, ISOLATION, LEVEL, READ, WITH, commas
                }
            }
        }
        return modes;
    }

    /** Whether the session has chosen a level for all of its transactions. */
    boolean choseLevel() {
        return ofSession.containsKey(LEVEL);
    }

    /**
     * What differs from the modes of a session that chooses none, as one text: pools go back to those by choosing them.
     */
    String text() {
        Map<String, String> modes = open ? now : coming();
        if (modes.isEmpty()) {
            return "";
        }
        String usual = usualLevel.get();
        return modes.entrySet().stream()
                .filter(mode -> !mode.getValue().equals(OFF) && !mode.getValue().equals(usual))
                .map(mode -> mode.getKey() + "=" + mode.getValue())
                .collect(Collectors.joining(", "));
    }

    /** Sets one, by any of its names; what is for the next transaction has no effect while one is open. */
    void set(String name, String value) {
        boolean once = name.startsWith(NEXT);
        String mode = NAMES.getOrDefault(once ? name.substring(NEXT.length()) : name, "");
        String known = value.toUpperCase(Locale.ROOT).replace(' ', '-');
        if (mode.equals(READ_ONLY)) {
            known = known.matches("ON|1|TRUE") ? "ON" : OFF;
        }
        if (known.equals("DEFAULT")) {
            (once ? next : ofSession).remove(mode);
        } else if (!once) {
            ofSession.put(mode, known);
        } else if (!open) {
            next.put(mode, known);
        }
    }

    /** A transaction is open from now on, with modes of its own as its statement names them. */
    void begin(Map<String, String> own) {
        next.putAll(own);
        now = coming();
        next.clear();
        open = true;
    }

    /** No transaction is open any more; what was for the next one alone was for this. */
    void end() {
        open = false;
        next.clear();
    }

    /** The session is as new. */
    void forget() {
        ofSession.clear();
        next.clear();
        open = false;
    }

    private Map<String, String> coming() {
        if (next.isEmpty() && ofSession.isEmpty()) {
            return Map.of();
        }
        Map<String, String> coming = new TreeMap<>(ofSession);
        coming.putAll(next);
        return coming;
    }
}
