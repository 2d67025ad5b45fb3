package io.plat.tests.modes;

/**
 * Response of one of the ways to decide.
 *
 * @param allowed whether it is allowed
 * @param refusal the reason of a denial, {@code ""} of an allow: an allow names a place, and each way in has another
 */
record Answer(boolean allowed, String refusal) {}
