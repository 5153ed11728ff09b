/**
 * What a session has made on this machine, written down before it is made, so that it can always be undone.
 */
@NullMarked
package dev.understudy.session.ledger;

import org.jspecify.annotations.NullMarked;
