package dev.understudy.session.plan;

import dev.understudy.session.clone.CloneForecast;
import dev.understudy.session.clone.CloneState;

/**
 * A clone driver's forecast.
 *
 * @param name the driver's
 * @param state what its copies begin with
 */
public record DriverPlan(String name, CloneState state, CloneForecast forecast) {}
