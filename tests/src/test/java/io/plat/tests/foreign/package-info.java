/** Third-party clients with the programs. Skipped with a message if a client is missing. */
@NullMarked
package io.plat.tests.foreign;

import org.jspecify.annotations.NullMarked;
