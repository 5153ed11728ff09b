package dev.understudy.example.orders.account;

import java.util.HexFormat;

/** One who may sign in, with the salted hash of the password; both in hexadecimal. */
record Customer(long id, String name, String salt, String passwordHash) {
    boolean hasPassword(String password) {
        HexFormat hex = HexFormat.of();
        return Passwords.matches(password, hex.parseHex(salt), hex.parseHex(passwordHash));
    }
}
