/**
 * Explaining: what allows a request, what almost does, and who may do something (contract, "Explaining").
 *
 * <p>{@link io.plat.engine.explain.Explainer} is a role that an authorizer may have besides deciding, so that deciding pays nothing for it: an
 * explanation scans a whole policy, which takes milliseconds, on a thread that may block. Its decision is the authorizer's own, by the same
 * state of the policy. An authorizer without this role is named in every response, and nothing is assumed about it. May depend on
 * {@code io.plat.engine} and {@code io.plat.review}; knows no mode.
 */
@NullMarked
package io.plat.engine.explain;

import org.jspecify.annotations.NullMarked;
