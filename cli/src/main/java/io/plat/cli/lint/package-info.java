/** The command {@code plat lint}: errors, redundancies and dangers in a policy. */
@NullMarked
package io.plat.cli.lint;

import org.jspecify.annotations.NullMarked;
