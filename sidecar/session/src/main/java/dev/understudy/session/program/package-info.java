/**
 * The programs of a session: the aggregator, the sidecar, and the agent that is brought into the copy.
 *
 * <p>They run as a user and a group of the session's own, with no privilege, so that the redirects can leave their own
 * connections out.
 */
@NullMarked
package dev.understudy.session.program;

import org.jspecify.annotations.NullMarked;
