/** Who is signed in: passwords, sessions, and what needs one. */
@NullMarked
package dev.understudy.example.orders.account;

import org.jspecify.annotations.NullMarked;
