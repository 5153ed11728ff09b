/**
 * A service that people log in to, as they build them with Spring Security: session cookie, CSRF tokens, keys and
 * entity tags of its own making. It runs in production and in debug.
 */
package dev.understudy.it.login;
