/**
 * Reads what replies are made of: JSON texts, compressed bodies, media types, cookies, time stamps. Strict: what
 * can't be read exactly is said to be unreadable, and then compared as bytes by those above.
 */
@NullMarked
package dev.understudy.divergence.content;

import org.jspecify.annotations.NullMarked;
