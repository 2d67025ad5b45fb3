/** Reviews that a user wrote to a file, on their way to a server. */
@NullMarked
package io.plat.cli.review;

import org.jspecify.annotations.NullMarked;
