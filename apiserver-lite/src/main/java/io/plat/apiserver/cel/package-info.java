/**
 * The language of expressions (CEL) as Kubernetes has it: its functions, the types and values of objects in it, what expressions may cost
 * and what they do cost.
 *
 * <p>The library is loaded with the first expression. Depends on schemas and on the formats of names, addresses and quantities; knows
 * neither rules nor policies.
 */
@NullMarked
package io.plat.apiserver.cel;

import org.jspecify.annotations.NullMarked;
