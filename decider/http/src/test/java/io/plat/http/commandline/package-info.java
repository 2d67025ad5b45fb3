@NullMarked
package io.plat.http.commandline;

import org.jspecify.annotations.NullMarked;
