/**
 * CEL as in Kubernetes: functions, types and values, and the estimated and actual cost of expressions.
 *
 * <p>The library is loaded with the first expression. Depends on schemas and on the formats of names, addresses and quantities;
 * independent of rules and policies.
 */
@NullMarked
package io.plat.apiserver.cel;

import org.jspecify.annotations.NullMarked;
