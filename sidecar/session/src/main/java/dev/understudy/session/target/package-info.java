/**
 * What is debugged: a process of this machine, its ports, its upstreams and what it has open. Reads only.
 */
@NullMarked
package dev.understudy.session.target;

import org.jspecify.annotations.NullMarked;
