package dev.understudy.aggregator;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An aggregator that recorded a real MariaDB is killed, and the next one answers from what it left on disk. */
@Tag("process")
class MySqlKillTest {
    private static final int STATEMENTS = 150;

    /** Bytes of two MiB beyond which the disk is waited for, so that nothing is evicted because it is slow. */
    private static final int ROOM = 1_700_000;

    private static final int TAKEN = 10;

    @TempDir
    private Path folder;

    @Test
    void killedAggregator_answersFromWhatWasOnDiskWhenItIsBack() throws Exception {
        int port = MariaDbServer.get().port();
        List<String> recorded = new ArrayList<>();
        long onDisk;
        try (AggregatorProcess first = AggregatorProcess.start(folder, "mysql", port)) {
            try (Connection production = connect(first.production, "app", "secret")) {
                production.setAutoCommit(false);
                for (int i = 0; i < STATEMENTS; i++) {
                    recorded.add(asked(production, i));
                    Eventually.await(() -> first.number("bytes") < ROOM);
                }
                production.commit();
            }
            Eventually.await(() -> first.number("unused") == STATEMENTS && first.number("open") == 0);
            try (Connection debug = connect(first.debug, "nobody-knows", "wrong")) {
                debug.setAutoCommit(false);
                for (int i = 0; i < TAKEN; i++) {
                    assertThat(asked(debug, i)).isEqualTo(recorded.get(i));
                }
                debug.commit();
            }
            onDisk = first.onDisk();
            assertThat(onDisk).isGreaterThan(70);
            first.kill();
        }
        try (AggregatorProcess second = AggregatorProcess.start(folder, "mysql", port)) {
            Eventually.await(() -> second.status().contains("\"loading\":false"));
            assertThat(second.number("reloaded")).isBetween(onDisk, onDisk + TAKEN);
            connect(second.production, "app", "secret").close(); // what a driver asks when it comes isn't on disk
            try (Connection debug = connect(second.debug, "nobody-knows", "wrong")) {
                debug.setAutoCommit(false);
                for (int i = TAKEN; i < TAKEN + onDisk; i++) {
                    assertThat(asked(debug, i)).isEqualTo(recorded.get(i));
                }
                assertThatThrownBy(() -> asked(debug, 1))
                        .as("taken before the kill")
                        .isInstanceOf(SQLException.class);
            }
        }
    }

    /** What is asked for can't be made up a second time. */
    private static String asked(Connection connection, int number) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT ?, UUID(), NULL, REPEAT('\u00fc', 20000)")) {
            statement.setInt(1, number);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1) + " " + row.getString(2) + " " + row.getString(3) + " " + row.getString(4);
            }
        }
    }

    private static Connection connect(String address, String user, String password) throws SQLException {
        return DriverManager.getConnection("jdbc:mariadb://" + address + "/app?sslMode=disable", user, password);
    }
}
