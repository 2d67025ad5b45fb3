/**
 * Validation of built-in types. The rules are data: resource files ({@code *.rules}, one or more per API group) that are compiled once
 * into {@link io.plat.apiserver.rules.Check}s. Only computed rules are in Java, such as those of schedules or CIDRs.
 *
 * <p>A file consists of definitions. An unindented name starts one: a type, by its stored resource, or a part of types, such as {@code
 * PodSpec}. A definition consists of rows, which are checked in order:
 * <pre>
 * PATHS [as PATH] [CHECK [ARGUMENTS]] [if CONDITION] [: MESSAGE]
 * if CONDITION
 * </pre>
 *
 * <p>Definitions whose names begin with {@code defaults/} set fields instead of checking them ({@link
 * io.plat.apiserver.rules.RuleCompiler.FieldAssignment}).
 *
 * <p>Rows that are indented below a row apply to its field, if its check found nothing; those below {@code if} apply if the condition
 * holds. {@code else} before a row skips it if the previous row found an error, or the condition of the previous {@code if} held; {@code
 * then} skips it otherwise. {@code as} reports the value at another path. A check with a capitalized name is a definition. {@code NAME?}
 * skips an empty value, {@code NAME!} requires one. {@link io.plat.apiserver.rules.Path} defines paths, {@link
 * io.plat.apiserver.rules.Checks} the checks, {@link io.plat.apiserver.rules.Condition} the conditions. In messages and arguments,
 * <code>${PATH}</code> is replaced by the string at a path.
 */
@NullMarked
package io.plat.apiserver.rules;

import org.jspecify.annotations.NullMarked;
