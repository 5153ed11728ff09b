/** The programs of a trial: a real server, and the aggregator in front of it. */
@NullMarked
package dev.understudy.it.fidelity.server;

import org.jspecify.annotations.NullMarked;
