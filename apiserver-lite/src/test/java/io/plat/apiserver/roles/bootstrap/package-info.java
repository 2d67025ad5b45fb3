@NullMarked
package io.plat.apiserver.roles.bootstrap;

import org.jspecify.annotations.NullMarked;
