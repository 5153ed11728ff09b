package dev.understudy.aggregator.postgres.sql;

import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.divergence.sql.PostgresText;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.value.TextStyle;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The run-time settings of one session, in one class since each statement is read by those before it: as announced, as
 * given at its start, and as set by SET, RESET, {@code set_config} and what says in which modes transactions run. Names
 * in lower case. Confined to its connection.
 */
public final class Settings {
    private static final String IN_BLOCK = "in a transaction";
    private static final String ROLE = "role";
    private static final Set<String> DECISIVE = Set.of("search_path", ROLE, SettingChoice.AUTHORIZATION, "options");

    private final Map<String, String> announced = new HashMap<>();
    private final Choices choices = new Choices();
    private final Channels channels = new Channels();
    private Map<String, String> endedWith = Map.of();
    private String loggedIn = "";
    private String database = "";
    private long changes;
    private TextStyle style = TextStyle.DEFAULT;
    private final SqlSpelling spelling;
    private PgSessionState state;

    /** A session that hasn't begun, where white space and comments don't count. */
    public Settings() {
        this(SqlSpelling.MEANING);
    }

    /** @param spelling whether white space and comments count */
    public Settings(SqlSpelling spelling) {
        this.spelling = spelling;
        this.state = new PgSessionState("", "", "", spelling);
    }

    /** The session begins with these, as its start-up packet says. */
    public void start(Map<String, String> parameters) {
        String user = parameters.getOrDefault("user", "");
        loggedIn = user;
        database = parameters.getOrDefault("database", user);
        Map<String, String> own = new HashMap<>();
        parameters.forEach((written, value) -> {
            String name = written.toLowerCase(Locale.ROOT);
            boolean kept = decisive(name) || PgTransactionModes.inherited(name);
            (kept ? own : announced)
                    .put(name, PgTransactionModes.inherited(name) ? PgTransactionModes.value(name, value) : value);
        });
        choices.start(own);
        changed();
    }

    /** The server says that a setting has this value. */
    public void announce(String name, String value) {
        announced.put(name.toLowerCase(Locale.ROOT), value);
        changed();
    }

    /** The value of a setting; null if it was neither chosen nor announced. */
    public @Nullable String get(String name) {
        String own = chosen(name.toLowerCase(Locale.ROOT));
        return own != null ? own : announced.get(name.toLowerCase(Locale.ROOT));
    }

    /** Outside a block a transaction's modes are those that one would begin with. */
    private @Nullable String chosen(String name) {
        boolean next = PgTransactionModes.one(name) && !choices.open();
        return choices.get(PgTransactionModes.inherited(name, next));
    }

    /** How the server writes text for this session. */
    public TextStyle style() {
        return style;
    }

    /** What of all this decides which answers statements get. */
    public PgSessionState state() {
        return state;
    }

    /** The same for one statement: what it is about to set does not count, and what it shows does. */
    public PgSessionState stateFor(String sql) {
        String shown = shown(sql);
        String own = shown == null ? null : chosen(shown);
        if (own != null) {
            return new PgSessionState(
                    database, (state.settings() + " " + shown + "=" + own).strip(), state.transaction(), spelling);
        }
        Set<String> names = SettingChoice.namedByCalls(sql);
        return names.isEmpty() ? state : new PgSessionState(database, decisive(names), modes(), spelling);
    }

    /** The name of the setting that a SHOW asks for; null if the statement is none. */
    public static @Nullable String shown(String sql) {
        if (!sql.regionMatches(true, 0, "SHOW", 0, 4)) {
            return null;
        }
        List<String> words = PostgresText.firstWords(sql, 2);
        String name = words.size() > 1 && words.get(0).equals("SHOW") ? words.get(1) : "";
        return switch (name) {
            case "TRANSACTION" -> PgTransactionModes.LEVEL;
            case "TIME" -> "timezone";
            default -> name.toLowerCase(Locale.ROOT);
        };
    }

    /** Whether the session has chosen this itself, so that it is in the state for what shows it. */
    public boolean chose(String name) {
        return chosen(name) != null;
    }

    /** Whether the server shows what the session has chosen here in the very words that are kept. */
    public boolean shownAsWritten(String name) {
        return switch (name) {
            case "application_name",
                    "client_encoding",
                    "datestyle",
                    "intervalstyle",
                    "standard_conforming_strings",
                    "timezone" -> {
                String own = String.valueOf(chosen(name));
                yield own.equals(ServerWords.of(name, own, own));
            }
            default -> PgTransactionModes.one(name) || PgTransactionModes.inherited(name);
        };
    }

    /** What a SET is called that means something in a block only; null if it is none. */
    public static @Nullable String ofBlock(String sql) {
        List<String> words = PgTransactionModes.words(sql);
        boolean modes = Boolean.FALSE.equals(PgTransactionModes.ofSession(words));
        return modes ? "SET TRANSACTION" : words.size() > 1 && words.get(1).equals("LOCAL") ? "SET LOCAL" : null;
    }

    /**
     * What the server says to a SET TRANSACTION within a block that comes too late; null if it doesn't.
     *
     * @param queried whether the block has asked for data
     * @param nested whether a savepoint is set
     */
    public @Nullable String tooLate(String sql, boolean queried, boolean nested) {
        List<String> words = PgTransactionModes.words(sql);
        boolean modes = Boolean.FALSE.equals(PgTransactionModes.ofSession(words));
        return modes
                ? PgTransactionModes.tooLate(PgTransactionModes.named(words, sql), this::chosen, queried, nested)
                : null;
    }

    /** The channels that the session listens on. */
    public Set<String> channels() {
        return channels.listened();
    }

    /** Memory that all of it takes, the texts that are made of it included. */
    public long heldBytes() {
        return choices.heldBytes()
                + channels.heldBytes()
                + 4L * state.settings().length();
    }

    /** A transaction block begins. */
    public void begin() {
        channels.begin();
        if (choices.begin()) {
            changed();
        }
    }

    /** The transaction block has ended. */
    public void end(boolean committed) {
        channels.end(committed);
        if (choices.open()) {
            endedWith = PgTransactionModes.of(choices.now());
            choices.end(committed);
            changed();
        }
    }

    /** The server is ready for more in a transaction block that has failed. */
    public void failed() {
        if (choices.open()) {
            choices.failed();
            changed();
        }
    }

    /** Who the session says it is: whom it logged in as, or became by SET SESSION AUTHORIZATION. */
    public String user() {
        String chosen = choices.get(SettingChoice.AUTHORIZATION);
        return chosen == null ? loggedIn : chosen;
    }

    /** Whose rights the session has by now: its user's, or a role's by SET ROLE. */
    public String role() {
        String chosen = choices.get(ROLE);
        return chosen == null || chosen.equals("none") ? user() : chosen;
    }

    /** Whom the session logged in as. */
    public String loggedIn() {
        return loggedIn;
    }

    /** The session is as it was at its start. */
    public void reset() {
        choices.reset();
        changed();
    }

    /** Follows the statements of one text, as far as the server came with them before an error. */
    public void follow(List<String> statements, List<PgMessage> replies) {
        boolean failed = replies.stream().anyMatch(message -> message.type() == 'E');
        long done = replies.stream().filter(message -> message.type() == 'C').count();
        begin();
        statements.stream()
                .limit(failed ? done : statements.size())
                .forEach(statement -> follow(PgStatementKind.of(statement), statement, List.of()));
    }

    /** Follows a statement that the session ran. */
    public void follow(PgStatementKind command, String statement, List<Parameter> parameters) {
        String sql = PgForms.canonical(statement);
        switch (command) {
            case SET -> set(sql);
            case RESET -> reset(sql);
            case LISTEN, UNLISTEN -> channels.follow(command, sql);
            case DISCARD -> {
                channels.follow(command, sql);
                reset();
            }
            case BEGIN -> {
                begin();
                modes(PgTransactionModes.words(sql), sql, false);
            }
            case COMMIT, ROLLBACK -> ended(command, sql);
            case PREPARE -> end(true);
            case SAVEPOINT -> choices.savepoint(PostgresText.lastName(sql));
            case RELEASE -> choices.release(PostgresText.lastName(sql));
            case ROLLBACK_TO -> {
                choices.rollbackTo(PostgresText.lastName(sql));
                changed();
            }
            default ->
                SettingChoice.byCalls(sql, parameters).stream()
                        .filter(choice -> choice.isWritten() || decisive(choice.name()))
                        .forEach(this::choose);
        }
    }

    private void ended(PgStatementKind command, String sql) {
        end(command == PgStatementKind.COMMIT);
        if (PgStatementKind.chained(sql)) {
            Map<String, String> same = endedWith;
            begin();
            same.forEach((mode, value) -> choices.set(mode, value, true));
            changed();
        }
    }

    private void set(String sql) {
        List<String> words = PgTransactionModes.words(sql);
        Boolean ofSession = PgTransactionModes.ofSession(words);
        if (ofSession != null) {
            modes(words, sql, ofSession);
            return;
        }
        SettingChoice choice = SettingChoice.bySet(sql);
        if (choice != null) {
            choose(choice);
        }
    }

    private void modes(List<String> words, String sql, boolean ofSession) {
        Map<String, String> modes = PgTransactionModes.named(words, sql);
        modes.forEach((mode, value) -> choices.set(PgTransactionModes.inherited(mode, ofSession), value, !ofSession));
        if (!modes.isEmpty()) {
            changed();
        }
    }

    private void reset(String sql) {
        String name = sql.substring(5).strip().toLowerCase(Locale.ROOT);
        if (name.equals("all")) {
            reset();
            return;
        }
        choices.set(SettingChoice.known(name), null, false);
        changed();
    }

    private void choose(SettingChoice choice) {
        String name = choice.name();
        String written = choice.value();
        boolean mode = PgTransactionModes.one(name);
        String words = ServerWords.of(name, written, get(name));
        String value = mode || PgTransactionModes.inherited(name)
                ? PgTransactionModes.value(name, written)
                : words == null ? written : words;
        boolean usual =
                written.equalsIgnoreCase("default") || (name.equals("timezone") && written.equalsIgnoreCase("local"));
        choices.set(name, usual ? null : value, choice.locally() || mode);
        if (name.equals(SettingChoice.AUTHORIZATION) && choices.get(ROLE) != null) {
            choices.set(ROLE, null, choice.locally());
        }
        changed();
    }

    private static boolean decisive(String name) {
        return DECISIVE.contains(name) || name.indexOf('.') >= 0;
    }

    /** How often something has changed, by which those who look often see whether they need to. */
    public long changes() {
        return changes;
    }

    private void changed() {
        changes++;
        Map<String, String> all = new HashMap<>(announced);
        all.putAll(choices.now());
        style = TextStyle.of(all);
        state = new PgSessionState(database, decisive(Set.of()), modes(), spelling);
    }

    private String modes() {
        String modes = PgTransactionModes.unusual(this::chosen);
        return !choices.open() ? modes : modes.isEmpty() ? IN_BLOCK : modes + ", " + IN_BLOCK;
    }

    private String decisive(Set<String> without) {
        StringBuilder decisive = new StringBuilder();
        choices.now().forEach((name, value) -> {
            if (decisive(name) && !without.contains(name)) {
                decisive.append(decisive.isEmpty() ? "" : ", ")
                        .append(name)
                        .append('=')
                        .append(value);
            }
        });
        return decisive.toString();
    }
}
