/** Output of commands: text for people, JSON and YAML for programs, colour for terminals. */
@NullMarked
package io.plat.cli.output;

import org.jspecify.annotations.NullMarked;
