package dev.understudy.it.overhead.work;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A transaction on a database in memory: a payment is made, and what belongs to the account is read. */
final class H2Work implements Work {
    private static final int ACCOUNTS = 1_000;
    private static final int ENTRIES = 5_000;

    private final Connection connection;
    private final PreparedStatement balance;
    private final PreparedStatement pay;
    private final PreparedStatement enter;
    private final PreparedStatement forget;
    private final PreparedStatement read;
    private int number;

    H2Work() throws SQLException {
        connection = DriverManager.getConnection("jdbc:h2:mem:");
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE account (id INT PRIMARY KEY, name VARCHAR(40), balance DECIMAL(12, 2))");
            statement.execute(
                    "CREATE TABLE entry (id INT PRIMARY KEY, account INT, amount DECIMAL(12, 2), note VARCHAR)");
            statement.execute("CREATE INDEX entry_account ON entry (account)");
            statement.execute(
                    "INSERT INTO account SELECT x, 'name ' || x, 100 FROM SYSTEM_RANGE(0, " + (ACCOUNTS - 1) + ")");
        }
        connection.setAutoCommit(false);
        balance = connection.prepareStatement("SELECT balance FROM account WHERE id = ?");
        pay = connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?");
        enter = connection.prepareStatement("INSERT INTO entry VALUES (?, ?, ?, ?)");
        forget = connection.prepareStatement("DELETE FROM entry WHERE id = ?");
        read = connection.prepareStatement(
                "SELECT a.name, COUNT(*), SUM(e.amount) FROM account a JOIN entry e ON e.account = a.id"
                        + " WHERE a.id BETWEEN ? AND ? GROUP BY a.name ORDER BY 3 DESC");
    }

    @Override
    public long once() throws SQLException {
        int account = number * 31 % ACCOUNTS;
        balance.setInt(1, account);
        long sum;
        try (ResultSet found = balance.executeQuery()) {
            found.next();
            sum = found.getBigDecimal(1).longValue();
        }
        pay.setInt(1, number % 7 - 3);
        pay.setInt(2, account);
        sum += pay.executeUpdate();
        enter.setInt(1, number);
        enter.setInt(2, account);
        enter.setInt(3, number % 7 - 3);
        enter.setString(4, "payment " + number);
        sum += enter.executeUpdate();
        forget.setInt(1, number - ENTRIES);
        sum += forget.executeUpdate();
        read.setInt(1, account);
        read.setInt(2, account + 5);
        try (ResultSet found = read.executeQuery()) {
            while (found.next()) {
                sum += found.getInt(2);
                sum += found.getString(1).length();
            }
        }
        connection.commit();
        number++;
        return sum;
    }
}
