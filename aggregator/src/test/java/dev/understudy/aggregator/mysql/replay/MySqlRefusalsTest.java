package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.mysql.replay.MySqlConversation.Debug;
import dev.understudy.aggregator.mysql.replay.MySqlConversation.Production;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.result.Err;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.understudy.aggregator.mysql.replay.MySqlConversation.CHANGE_USER;
import static dev.understudy.aggregator.mysql.replay.MySqlConversation.INIT_DB;
import static dev.understudy.aggregator.mysql.replay.MySqlConversation.PING;
import static dev.understudy.aggregator.mysql.replay.MySqlConversation.PREPARE;
import static dev.understudy.aggregator.mysql.replay.MySqlConversation.RESET;
import static dev.understudy.aggregator.mysql.replay.MySqlConversation.STATISTICS;
import static dev.understudy.aggregator.mysql.replay.MySqlConversation.command;
import static dev.understudy.aggregator.mysql.replay.MySqlConversation.ok;
import static dev.understudy.aggregator.mysql.replay.MySqlConversation.prepared;
import static org.assertj.core.api.Assertions.assertThat;

/** What production's server refused, the debug side is refused, too, at that time and no other. */
class MySqlRefusalsTest {
    private static final Err UNKNOWN_DATABASE = new Err(1049, "42000", "Unknown database 'nodb'");
    private static final Err SYNTAX = new Err(1064, "42000", "You have an error in your SQL syntax");
    private static final Err NO_TABLE = new Err(1146, "42S02", "Table 'd.later' doesn't exist");

    private final MySqlConversation server = new MySqlConversation(Duration.ZERO);

    @Test
    void unknownDatabase_isRefusedByEachCommandThatNamesIt() {
        Production production = server.production("d");
        production.asks(command(INIT_DB, "nodb"), UNKNOWN_DATABASE.encode());
        production.asks("USE nodb", UNKNOWN_DATABASE.encode());
        production.asks(changeTo("nodb"), UNKNOWN_DATABASE.encode());
        Debug debug = server.debug("d");
        debug.written();
        assertThat(debug.refused(command(INIT_DB, "nodb"))).isEqualTo(UNKNOWN_DATABASE);
        assertThat(debug.refused("USE nodb")).isEqualTo(UNKNOWN_DATABASE);
        assertThat(debug.refused(changeTo("nodb"))).isEqualTo(UNKNOWN_DATABASE);
        assertThat(debug.asks(command(INIT_DB, "other")).get(0)[0]).isZero();
    }

    @Test
    void loginToAnUnknownDatabase_isRefusedUntilThereIsOne() {
        server.refused("nodb", UNKNOWN_DATABASE);
        server.production("nodb");
        Debug first = server.debug("nodb");
        assertThat(Err.read(first.written().get(0))).isEqualTo(UNKNOWN_DATABASE);
        assertThat(first.channel.isOpen()).isFalse();
        assertThat(server.debug("nodb").written().get(0)[0]).isZero();
        assertThat(server.debug("nodb").written().get(0)[0]).isZero();
    }

    @Test
    void wrongPassword_isNobodysButTheClients() {
        server.refused("d", new Err(1045, "28000", "Access denied for user 'nobody'@'localhost'"));
        assertThat(server.debug("d").written().get(0)[0]).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET nonsense = 1",
                "START TRANSACTION FOO",
                "SAVEPOINT",
                "ROLLBACK TO SAVEPOINT",
                "SET SESSION sql_mode = 'NONE_SUCH'"
            })
    void statementOfTheSession_isRefusedAsProductionsWas(String sql) {
        Production production = server.production("d");
        production.asks(sql, SYNTAX.encode());
        Debug debug = server.debug("d");
        debug.written();
        assertThat(debug.refused(sql)).isEqualTo(SYNTAX);
    }

    @Test
    void settingThatIsTakenLater_isRefusedBeforeAndTakenThen() {
        Production production = server.production("d");
        production.asks("SET ROLE reader", new Err(3530, "HY000", "not granted").encode());
        production.asks("INSERT INTO grants VALUES (1)", ok());
        production.asks("SET ROLE reader", ok());
        Debug debug = server.debug("d");
        debug.written();
        assertThat(debug.refused("SET ROLE reader").code()).isEqualTo(3530);
        debug.asks("INSERT INTO grants VALUES (1)");
        assertThat(debug.asks("SET ROLE reader").get(0)[0]).isZero();
    }

    @Test
    void statementThatIsRefusedBeforeAMigration_isRefusedThereAlone() {
        Production production = server.production("d");
        byte[] prepare = command(PREPARE, "SELECT a FROM later");
        production.asks(prepare, NO_TABLE.encode());
        production.asks("CREATE TABLE later (a INT)", ok());
        production.asks(prepare, prepared(1));
        production.asks("DROP TABLE later", ok());
        production.asks(prepare, NO_TABLE.encode());
        Debug debug = server.debug("d");
        debug.written();
        assertThat(debug.refused(prepare)).isEqualTo(NO_TABLE);
        debug.asks("CREATE TABLE later (a INT)");
        assertThat(debug.asks(prepare).get(0)[0]).isZero();
        debug.asks("DROP TABLE later");
        assertThat(debug.refused(prepare)).isEqualTo(NO_TABLE);
    }

    @Test
    void refusedStatement_isWaitedForWhereItIsToBeTaken() {
        MySqlConversation waiting = new MySqlConversation(Duration.ofSeconds(5));
        Production production = waiting.production("d");
        byte[] prepare = command(PREPARE, "SELECT a FROM later");
        production.asks(prepare, NO_TABLE.encode());
        production.asks("CREATE TABLE later (a INT)", ok());
        Debug debug = waiting.debug("d");
        debug.written();
        assertThat(debug.refused(prepare)).isEqualTo(NO_TABLE);
        debug.asks("CREATE TABLE later (a INT)");
        assertThat(debug.asks(prepare))
                .as("production hasn't prepared it again")
                .isEmpty();
        production.asks(prepare, prepared(1));
        debug.channel.runPendingTasks();
        assertThat(debug.written().get(0)[0]).isZero();
    }

    @Test
    void refusedStatement_isRefusedAgainOnceNothingElseCame() {
        MySqlConversation waiting = new MySqlConversation(Duration.ofSeconds(5));
        Production production = waiting.production("d");
        byte[] prepare = command(PREPARE, "SELECT a FROM later");
        production.asks(prepare, NO_TABLE.encode());
        Debug debug = waiting.debug("d");
        debug.written();
        assertThat(debug.refused(prepare)).isEqualTo(NO_TABLE);
        debug.channel.freezeTime();
        assertThat(debug.asks(prepare)).isEmpty();
        debug.channel.advanceTimeBy(6, TimeUnit.SECONDS);
        debug.channel.runScheduledPendingTasks();
        debug.channel.runPendingTasks();
        assertThat(Err.read(debug.written().get(0))).isEqualTo(NO_TABLE);
    }

    @Test
    void errorOfTheMoment_isNobodysAnswer() {
        Production production = server.production("d");
        production.asks(command(PREPARE, "SELECT a FROM t"), new Err(1317, "70100", "interrupted").encode());
        production.asks("SET NAMES utf8mb4", new Err(1317, "70100", "interrupted").encode());
        Debug debug = server.debug("d");
        debug.written();
        assertThat(debug.refused(command(PREPARE, "SELECT a FROM t")).state()).isEqualTo("UD001");
        assertThat(debug.asks("SET NAMES utf8mb4").get(0)[0]).isZero();
    }

    @Test
    void catalogue_isProductionsOfThatTime() {
        Production production = server.production("d");
        production.asks("SHOW TABLES", rows("old"));
        production.asks("CREATE TABLE later (a INT)", ok());
        production.asks("SHOW TABLES", rows("new"));
        Debug debug = server.debug("d");
        debug.written();
        assertThat(debug.asks("SHOW TABLES").get(2)).isEqualTo(row("old"));
        debug.asks("CREATE TABLE later (a INT)");
        assertThat(debug.asks("SHOW TABLES").get(2)).isEqualTo(row("new"));
        assertThat(debug.asks("SHOW TABLES").get(2)).isEqualTo(row("new"));
    }

    @Test
    void commandsOfTheConnection_areRefusedAsProductionsWere() {
        Err expired = new Err(1820, "HY000", "You must reset your password");
        Production production = server.production("d");
        production.asks(new byte[] {PING}, expired.encode());
        production.asks(new byte[] {RESET}, new Err(1047, "08S01", "Unknown command").encode());
        Debug debug = server.debug("d");
        debug.written();
        assertThat(debug.refused(new byte[] {PING})).isEqualTo(expired);
        assertThat(debug.refused(new byte[] {RESET}).code())
                .as("an old server's")
                .isEqualTo(1047);
    }

    @Test
    void statistics_areProductionsOrAMiss() {
        Debug debug = server.debug("d");
        debug.written();
        assertThat(debug.refused(new byte[] {STATISTICS}).state()).isEqualTo("UD001");
        assertThat(server.journal.replayed.missed()).isEqualTo(1);
        byte[] text = "Uptime: 4711  Threads: 3".getBytes(StandardCharsets.US_ASCII);
        server.production("d").asks(new byte[] {STATISTICS}, text);
        assertThat(debug.asks(new byte[] {STATISTICS})).containsExactly(text);
    }

    @Test
    void savepoint_isOnlyThereWithinATransaction() {
        Debug debug = server.debug("d");
        debug.written();
        assertThat(debug.asks("SAVEPOINT a").get(0)[0]).isZero();
        assertThat(debug.refused("RELEASE SAVEPOINT a").code()).isEqualTo(1305);
        debug.asks("BEGIN");
        debug.asks("SAVEPOINT `D d`");
        assertThat(debug.refused("ROLLBACK TO `x d`").code()).isEqualTo(1305);
        assertThat(debug.asks("ROLLBACK TO SAVEPOINT `d d`").get(0)[0]).isZero();
        debug.asks("BEGIN");
        assertThat(debug.refused("ROLLBACK TO `d d`").code()).isEqualTo(1305);
    }

    private static byte[] changeTo(String database) {
        return new MySqlWriter()
                .int8(CHANGE_USER)
                .string("nobody")
                .int8(0)
                .string(database)
                .int16(45)
                .string("mysql_native_password")
                .toBytes();
    }

    private static byte[][] rows(String value) {
        return new byte[][] {{1}, new MySqlWriter().value("def").toBytes(), row(value), end()};
    }

    private static byte[] end() {
        return new MySqlWriter().int8(0xfe).int8(0).int8(0).int16(2).int16(0).toBytes();
    }

    private static byte[] row(String value) {
        return new MySqlWriter().value(value).toBytes();
    }
}
