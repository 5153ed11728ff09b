package dev.understudy.it.fidelity;

/**
 * One thing that a client did, and what came of it.
 *
 * @param name the same on both sides for the same operation, and of no other there
 * @param form what was asked; operations of one form are interchangeable for the server
 * @param result what the client saw, as text
 */
public record Operation(String name, String form, String result) {}
