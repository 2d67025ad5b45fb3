/** {@code plat man}: manual pages, made of what the commands say about themselves, so that they can't say anything else than the help. */
@NullMarked
package io.plat.cli.manual;

import org.jspecify.annotations.NullMarked;
