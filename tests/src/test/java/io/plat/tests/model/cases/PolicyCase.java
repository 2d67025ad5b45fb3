package io.plat.tests.model.cases;

import io.plat.review.Attributes;

/**
 * A request and its decision.
 *
 * @param name description
 * @param request the request
 * @param allowed whether it is allowed
 * @param by location of the grant, {@code ""} if irrelevant
 * @param cause reason for the expectation
 */
public record PolicyCase(String name, Attributes request, boolean allowed, String by, String cause) {}
