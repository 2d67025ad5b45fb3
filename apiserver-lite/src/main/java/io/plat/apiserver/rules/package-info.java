/**
 * Validation of built-in types. The rules are data: resource files ({@code *.rules}, one or more per API group) that are compiled once
 * into {@link io.plat.apiserver.rules.Check}s. Java remains only where a rule computes, such as a schedule or a range of addresses.
 *
 * <p>A file consists of definitions. A name without indentation begins one: a type, by the resource that stores it, or a part of
 * types, such as {@code PodSpec}. A definition consists of rows, which are checked in the order in which they stand:
 *
 * <pre>
 * PATHS [as PATH] [CHECK [ARGUMENTS]] [if CONDITION] [: MESSAGE]
 * if CONDITION
 * </pre>
 *
 * <p>Definitions whose names begin with {@code defaults/} set fields instead of checking them ({@link
 * io.plat.apiserver.rules.Fill}).
 *
 * <p>Rows that are indented below a row apply to its field, if its check found nothing; those below {@code if} apply if the condition
 * holds. {@code else} before a row skips it where the row before found something, or where the condition of the {@code if} before
 * held. {@code as} reports the value at another path. A check whose name begins with a capital letter is a definition. {@code NAME?}
 * passes over an empty value, {@code NAME!} requires one. {@link io.plat.apiserver.rules.Path} defines paths,
 * {@link io.plat.apiserver.rules.Checks} the checks, {@link io.plat.apiserver.rules.Condition} the conditions. In messages and
 * arguments, <code>${PATH}</code> stands for the text at a path.
 */
@NullMarked
package io.plat.apiserver.rules;

import org.jspecify.annotations.NullMarked;
