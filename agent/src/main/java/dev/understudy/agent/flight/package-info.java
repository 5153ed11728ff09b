/**
 * The agent's events in a flight recording that somebody else has started: {@code understudy.Exchange},
 * {@code understudy.Method}, {@code understudy.Point}, {@code understudy.Calls}, {@code understudy.Budget}.
 *
 * <pre>
 * bootstrap.ServedExchanges, Probes, point.LivePoint ──▶ bootstrap.Flight ──▶ JfrFlight ──▶ ExchangeEvent, MethodEvent, PointEvent
 * each tick ──▶ JfrFlight.tick ──▶ BudgetEvent; CallCounts ──▶ CallsEvent
 * </pre>
 *
 * <p>Only {@code FlightEvents} is touched in a JVM without the module jdk.jfr.
 */
@NullMarked
package dev.understudy.agent.flight;

import org.jspecify.annotations.NullMarked;
