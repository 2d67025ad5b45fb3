/** Tests of selectors. */
@NullMarked
package io.plat.apiserver.selector;

import org.jspecify.annotations.NullMarked;
