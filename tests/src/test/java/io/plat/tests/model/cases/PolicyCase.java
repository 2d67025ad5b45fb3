package io.plat.tests.model.cases;

import io.plat.review.Attributes;

/**
 * One request and its decision.
 *
 * @param name what is asked
 * @param request the question
 * @param allowed whether it is allowed
 * @param by where the grant stands, {@code ""} where that is not the point
 * @param why the rule behind it
 */
public record PolicyCase(String name, Attributes request, boolean allowed, String by, String why) {}
