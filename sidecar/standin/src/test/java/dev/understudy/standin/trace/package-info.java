/** Traces for tests. */
package dev.understudy.standin.trace;
