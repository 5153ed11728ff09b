package dev.understudy.session.plan;

import dev.understudy.session.clone.CloneForecast;
import dev.understudy.sidecar.verdict.CopyState;

/**
 * A clone driver's forecast.
 *
 * @param name the driver's
 * @param state what its copies begin with
 */
public record DriverPlan(String name, CopyState state, CloneForecast forecast) {}
