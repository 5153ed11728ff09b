/**
 * Learns a model from a recording of what a service was asked and answered.
 *
 * <pre>
 *   recording ─▶ RecordedCalls ─▶ ServiceLearner ─▶ RouteLearner ─▶ ServiceModel
 *                                      └▶ WorkerEstimate
 * </pre>
 */
@NullMarked
package dev.understudy.standin.learn;

import org.jspecify.annotations.NullMarked;
