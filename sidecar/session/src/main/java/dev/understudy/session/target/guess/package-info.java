/**
 * What is spoken at a port, and which host names mean an address: guessed from what is there already.
 */
@NullMarked
package dev.understudy.session.target.guess;

import org.jspecify.annotations.NullMarked;
