/**
 * Expressions in objects of the catalog's types: policies of admission, webhooks, what devices are asked for. They are compiled when
 * they are written, with the variables and results that their fields have on existing servers, and never run here.
 *
 * <p>Asked through {@link io.plat.apiserver.resource.ExpressionCheck}. May depend on {@code io.plat.apiserver.custom.cel}, whose
 * language it is, and on {@code io.plat.apiserver.resource}.
 */
@NullMarked
package io.plat.apiserver.expression;

import org.jspecify.annotations.NullMarked;
