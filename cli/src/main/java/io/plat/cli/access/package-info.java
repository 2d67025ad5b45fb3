/**
 * The commands about access: {@code can-i}, {@code why}, {@code who-can}, {@code matrix}, {@code review} and {@code whoami}. They use
 * {@link io.plat.cli.request.DecisionSource}, regardless of the source of decisions; a warning is printed if a part of a policy could not be read.
 */
@NullMarked
package io.plat.cli.access;

import org.jspecify.annotations.NullMarked;
