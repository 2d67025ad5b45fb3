/**
 * CEL as in Kubernetes: functions, types and values, and the estimated and actual cost of expressions.
 *
 * <p>The library is loaded with the first expression. Independent of schemas and of the uses of expressions.
 */
@NullMarked
package io.plat.cel;

import org.jspecify.annotations.NullMarked;
