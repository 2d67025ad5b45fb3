/** Types, values and sizes that the language of expressions ({@code io.plat.cel}) gives the schemas of this server. */
@NullMarked
package io.plat.apiserver.cel;

import org.jspecify.annotations.NullMarked;
