/** {@code plat lint}: what is wrong, superfluous or dangerous in a policy. */
@NullMarked
package io.plat.cli.lint;

import org.jspecify.annotations.NullMarked;
