package io.plat.tests.modes;

/**
 * What one way in says about a request.
 *
 * @param allowed whether it is allowed
 * @param refusal the reason of a denial, {@code ""} of an allow: an allow names a place, and each way in has another
 */
record Answer(boolean allowed, String refusal) {}
