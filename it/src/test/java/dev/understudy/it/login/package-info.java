/** A service that people log in to, live behind the sidecar. */
@org.jspecify.annotations.NullMarked
package dev.understudy.it.login;
