/**
 * Expressions in objects of built-in types: admission policies, match conditions of webhooks, device selectors. They are compiled when
 * they are written, with the variables and result types of Kubernetes; those of validating policies are evaluated.
 *
 * <p>Called through {@link io.plat.apiserver.operations.ExpressionCheck} and by the admission of requests. Depends on {@code
 * io.plat.apiserver.cel}, {@code io.plat.apiserver.schema} and {@code io.plat.apiserver.operations}.
 */
@NullMarked
package io.plat.apiserver.expression;

import org.jspecify.annotations.NullMarked;
