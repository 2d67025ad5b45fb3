/** {@code plat convert}: the same policy in the other form, proven to be the same. */
@NullMarked
package io.plat.cli.convert;

import org.jspecify.annotations.NullMarked;
