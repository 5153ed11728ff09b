package dev.understudy.it.suspect;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/**
 * A ledger: {@code /book/120/7} books 120 in account 7.
 *
 * <p>Its bug is in {@link Fees#fee}, which takes one too much of the hundreds. It runs in every exchange, returns a
 * positive number as always, and nothing throws or is called for that reason: a user notices status 500, since the
 * books don't balance, and only the way that was taken in it tells.
 */
final class Ledger {
    private Ledger() {}

    /** Serves on {@code -Dport}, or a port of its own, and prints it. */
    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("port", 0)), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/book/", Ledger::serve);
        server.start();
        System.out.println("port=" + server.getAddress().getPort());
    }

    private static void serve(HttpExchange exchange) throws IOException {
        String[] parts = exchange.getRequestURI().getPath().split("/", -1);
        int amount = Integer.parseInt(parts[2]);
        int account = Accounts.checked(Integer.parseInt(parts[3]));
        int fee = Fees.fee(amount);
        int booked = Accounts.book(account, amount, fee);
        byte[] body = Receipts.text(account, amount, fee).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status(booked, amount), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    static int status(int booked, int amount) {
        int expected = amount - 1 - amount / 100;
        return booked == expected ? 200 : 500;
    }

    /** The guilty one. */
    static final class Fees {
        private Fees() {}

        static int fee(int amount) {
            int fee = 1 + amount / 100;
            if (amount % 100 == 0) {
                fee++;
            }
            return fee;
        }
    }

    /** Innocent. */
    static final class Accounts {
        private Accounts() {}

        static int checked(int account) {
            return account < 1 ? 1 : Math.min(account, 99);
        }

        static int book(int account, int amount, int fee) {
            int sum = amount;
            for (int i = 0; i < fee; i++) {
                sum--;
            }
            return account % 3 == 0 ? sum : Math.min(sum, amount);
        }
    }

    /** Innocent, too. */
    static final class Receipts {
        private Receipts() {}

        static String text(int account, int amount, int fee) {
            StringBuilder text = new StringBuilder("account ").append(account);
            if (account > 50) {
                text.append(" (abroad)");
            }
            return text.append(": ").append(amount).append(" less ").append(fee).toString();
        }
    }
}
