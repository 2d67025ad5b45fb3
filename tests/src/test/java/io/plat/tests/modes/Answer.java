package io.plat.tests.modes;

/**
 * Decision of one of the compared systems.
 *
 * @param allowed whether it is allowed
 * @param refusal reason of a denial, {@code ""} for an allow: the reason of an allow names a location, which differs
 */
record Answer(boolean allowed, String refusal) {}
