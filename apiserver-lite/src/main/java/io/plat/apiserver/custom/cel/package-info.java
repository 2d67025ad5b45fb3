/**
 * Rules in CEL on custom objects ({@code x-kubernetes-validations}): checked against the schema when a type is defined, evaluated
 * with each write within bounds.
 *
 * <p>The library is loaded with the first expression; {@code Language} is what else is written in it. May depend on
 * {@code io.plat.apiserver.custom.schema} and {@code io.plat.apiserver.memory}.
 */
@NullMarked
package io.plat.apiserver.custom.cel;

import org.jspecify.annotations.NullMarked;
